import { Failure, isFailure } from '../api/failure.ts'
import type { FailureKind } from '../api/failure.ts'
import { uploadPhoto } from '../api/products.ts'
import { element } from '../ui/element.ts'
import { say } from '../ui/notice.ts'
import { complain } from './complaint.ts'

/** The problem with the file, and its fix: retrying helps in none of these cases. */
const remedies: Readonly<Partial<Record<FailureKind, string>>> = {
  'wrong-format': 'Only JPEG, PNG and GIF are supported. Convert the file to one of them.',
  'too-large': 'The file is too large. The maximum is 10 MB.',
  refused: 'The file seems to be damaged. Export it again, or choose another file.',
}

function toRemedied(fault: unknown): unknown {
  if (!isFailure(fault)) return fault
  const { kind, message, reference } = fault
  return new Failure({ kind, detail: remedies[kind] ?? message, reference, cause: fault })
}

const toSize = (bytes: number): string => `${(bytes / 1024).toLocaleString('en-GB', { maximumFractionDigits: 1 })} kB`

/** Chooses a photo, shows it, and uploads it when the user confirms. */
export function createPhotoForm(key: string, onUploaded: () => void): HTMLElement {
  const preview = element('div', { class: 'preview' })
  const place = element('div', { class: 'complaint-place' })
  const input = element('input', {
    id: 'photo',
    type: 'file',
    accept: 'image/jpeg,image/png,image/gif',
    onchange: () => showChosen(input.files?.[0]),
  })
  let shown: string | undefined

  function clear(): void {
    if (shown !== undefined) URL.revokeObjectURL(shown)
    shown = undefined
    preview.replaceChildren()
    place.replaceChildren()
  }

  async function upload(file: File): Promise<void> {
    place.replaceChildren()
    try {
      await uploadPhoto(key, file)
      clear()
      onUploaded()
      say('Photo uploaded.')
    } catch (fault) {
      complain(place, toRemedied(fault), 'Upload failed.')
    }
  }

  function showChosen(file: File | undefined): void {
    clear()
    if (file === undefined) return
    shown = URL.createObjectURL(file)
    preview.replaceChildren(
      element('img', { src: shown, alt: 'The selected photo' }),
      element('p', {}, `${file.name}, ${toSize(file.size)}`),
      element('button', { type: 'button', class: 'primary', onclick: () => void upload(file) }, 'Upload'),
    )
  }

  return element(
    'section',
    { class: 'photo', 'aria-label': 'Photo' },
    element('label', { for: 'photo' }, 'New photo'),
    input,
    preview,
    place,
  )
}
