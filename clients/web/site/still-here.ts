/**
 * Marks the page that is shown now.
 * @returns whether it is still shown: what ends later must not take a person back from the page that they have opened
 *   meanwhile
 */
export function markPage(): () => boolean {
  const { pathname } = location;
  return () => location.pathname === pathname;
}
