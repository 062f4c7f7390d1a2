import { listAndSave, test } from '../app.ts'

test('lists and saves', ({ page }, { project }) => listAndSave(page, project.name))
