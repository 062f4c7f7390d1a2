import { chooseProject, isSameProject, listProjects, toProjectParameters, toProjectText } from '../projects.ts'
import type { KnownProject } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'
import { toProjectId } from '../../state/project-data.ts'
import type { ProjectName } from '../../state/project-data.ts'
import { SearchFields } from '../parts/act.tsx'
import { CartCard } from './cart.tsx'
import { Comparison } from './comparison.tsx'
import { Images } from './images.tsx'
import { ResourceEditor } from './resource.tsx'
import { Resources } from './resources.tsx'
import { Snapshots } from './snapshots.tsx'

interface PickerProps {
  readonly context: ViewContext
  readonly projects: readonly KnownProject[]
  readonly chosen: ProjectName
}

/** Selects one of the projects of the session, or any other by its key. */
const Picker = ({ context, projects, chosen }: PickerProps) => (
  <nav class="picker" aria-label="Projects">
    <ul class="tabs" id="projects" data-live>
      {projects.map((project) => (
        <li id={`project-${toProjectId(project)}`}>
          <a
            href={context.place.to('data', toProjectParameters(project))}
            aria-current={isSameProject(project, chosen) ? 'true' : undefined}
          >
            {toProjectText(project)}
            {project.isWritten && <span class="tag">changed</span>}
          </a>
        </li>
      ))}
    </ul>
    <form method="get" action={context.place.home} class="row-of">
      <SearchFields context={context} view="data" />
      <label class="sr" for="project">
        Another project
      </label>
      <input id="project" name="project" placeholder="Another project key" required autocomplete="off" size={18} />
      <button class="button">Open</button>
    </form>
  </nav>
)

/** Resources, snapshots, images and the cart. */
export const DataView = async ({ context }: { readonly context: ViewContext }) => {
  const { place } = context
  const projects = await listProjects(context)
  const chosen = chooseProject(context, projects)
  return (
    <>
      <div class="head-line">
        <h1>Data</h1>
        <div class="tools">
          <a class="button" href={place.toApi('/state')} download="state.json">
            Download state
          </a>
        </div>
      </div>
      <Picker context={context} projects={projects} chosen={chosen} />
      <div class="columns">
        <div class="main-column">
          {context.param('compare') !== '' && <Comparison context={context} name={context.param('compare')} />}
          {context.param('resource') === '' ? (
            <Resources context={context} project={chosen} />
          ) : (
            <ResourceEditor context={context} project={chosen} />
          )}
        </div>
        <div class="side-column">
          <Snapshots context={context} project={chosen} />
          <Images context={context} project={chosen} />
          <CartCard context={context} />
        </div>
      </div>
    </>
  )
}
