/** Whether a method only reads (RFC 9110, section 9.2.1). */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'
