/** 32-bit FNV-1a of the text's UTF-16: from 0 up to 2^32. */
export function hash32(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
