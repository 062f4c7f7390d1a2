/** Text of the OpenAPI document, in which Markdown's backticks hold code (OpenAPI 3.1.0, section 4.4.1). */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
)
