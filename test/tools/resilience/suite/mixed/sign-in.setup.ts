import { listAndSave, test } from '../app.ts'

test('signs in', ({ page }) => listAndSave(page, 'tells'))
