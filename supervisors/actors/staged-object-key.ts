/** Where the picture of an attempt is stored. A picture that is collected again has a new id in its key. */
export function stagedObjectKey(id: string, format: string): string {
  return `staged/${id}.${format === 'jpeg' ? 'jpg' : format}`;
}
