import { useState } from 'hono/jsx/dom'
import { Button } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, TextField, valueOf } from '../../parts/form.tsx'

const KEY = 'resource-mock-editor'

const EXAMPLE = 'vscode://file/home/me/shop/{file}:{line}'

function readTemplate(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    // Storage is blocked for a page from disk.
    return ''
  }
}

/** A place in a file, which opens in the editor that the reader chose: tests are reported with paths in their project. */
export function EditorLink({ file, line }: { readonly file: string; readonly line: number }) {
  const [template, setTemplate] = useState(readTemplate())
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const ask = (): void => {
    setText(template === '' ? EXAMPLE : template)
    setOpen(true)
  }
  const save = (): void => {
    localStorage.setItem(KEY, text.trim())
    setTemplate(text.trim())
    setOpen(false)
  }
  const place = `${file}:${line}`
  const href = template.replaceAll('{file}', file).replaceAll('{line}', String(line))
  return (
    <>
      {template === '' ? (
        <span>{place}</span>
      ) : (
        <a href={href} title="Open in the editor">
          {place}
        </a>
      )}
      <Button isSmall kind="plain" onClick={ask}>
        Editor…
      </Button>
      {isOpen && (
        <Dialog title="Open files in your editor" onClose={() => setOpen(false)}>
          <Form onSubmit={save}>
            <TextField
              label="Link to a line"
              hint="An address of your editor, with the folder of your project. {file} and {line} are replaced; empty for no link."
              value={text}
              pattern="(?!javascript:)[a-z][a-z0-9+.\-]*:.*|\s*"
              onInput={(event: Event) => setText(valueOf(event))}
            />
            <div class="tools">
              <Button type="submit" kind="primary">
                Save
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
