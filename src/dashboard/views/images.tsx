import { Icon } from '../parts/icon.tsx'
import type { ProjectName } from '../../state/project-data.ts'
import { toCountText } from '../row.ts'
import { toProjectParameters } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'

/** The uploaded images of a project (D21). */
export const Images = ({ context, project }: { readonly context: ViewContext; readonly project: ProjectName }) => {
  const data = context.parts.store.access(context.session.name, project).read()
  const images = [...data.images()]
  return (
    <section class="card stack-wide" id="images" data-live aria-label="Images">
      <h2>Images</h2>
      {images.length === 0 && (
        <p class="quiet">
          <Icon name="info" /> No images uploaded to this project.
        </p>
      )}
      <ul class="images">
        {images.map(({ id, filename, width, height, type, bytes, resourceId, sku }) => (
          <li id={`image-${id}`}>
            <figure>
              <a href={context.place.toApi(`/images/${id}`)}>
                <img
                  src={context.place.toApi(`/images/${id}`)}
                  alt={filename ?? `Image of ${sku ?? resourceId}`}
                  width={width}
                  height={height}
                  loading="lazy"
                />
              </a>
              <figcaption>
                <b>{filename ?? sku ?? 'Image'}</b>
                <span class="quiet">
                  {type.slice('image/'.length)} · {width}×{height} · {toCountText(bytes.byteLength)} bytes
                </span>
                <a href={context.place.to('data', { ...toProjectParameters(project), resource: resourceId })}>
                  {data.find(resourceId)?.key ?? resourceId}
                </a>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
