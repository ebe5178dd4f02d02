/** What is on its way when a change has ended: fields that were changed once more meanwhile stay. */
export function withoutChange<Fields extends object>(pending: Fields, ended: Fields): Fields {
  const left = Object.entries(pending).filter(([name, value]) => ended[name as keyof Fields] !== value);
  return Object.fromEntries(left) as Fields;
}
