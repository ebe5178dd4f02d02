/**
 * Which cases of a long list a run walks. `k/3` (k from 0 to 2) is every third one, so that three shares together are
 * all of them; without a share it is every case.
 * @throws for any other value, because a mistyped share must not pass for a whole run
 */
export function shareOf(share: string | undefined): (index: number) => boolean {
  if (share === undefined) return () => true;
  const part = /^([0-2])\/3$/.exec(share)?.[1];
  if (part === undefined) throw new Error(`SHARE is ${JSON.stringify(share)}, but must be 0/3, 1/3 or 2/3`);
  return (index) => index % 3 === Number(part);
}

/** Whether this run walks the case with this index: see the variable SHARE in docs/testing.md. */
export const inShare = shareOf(process.env.SHARE);
