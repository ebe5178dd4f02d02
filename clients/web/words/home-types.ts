import type { Text } from './text.ts';

/** The name of a home's type in the page's language; a type that has none is shown as the listing has it. */
export function homeTypeName(t: Text['t'], type: string): string {
  const key = `homeType.${type}`;
  const name = t(key);
  return name === key ? type : name;
}
