/**
 * Whether the case with this index runs in this run. `SHARE=k/3` (k from 0 to 2) runs every third case, so that three
 * commits together walk them all; without it every case runs.
 * @throws for any other value, because a mistyped share must not pass for a whole run
 */
export function inShare(index: number, share: string | undefined = process.env.SHARE): boolean {
  if (share === undefined) return true;
  const part = /^([0-2])\/3$/.exec(share)?.[1];
  if (part === undefined) throw new Error(`SHARE is ${JSON.stringify(share)}, but must be 0/3, 1/3 or 2/3`);
  return index % 3 === Number(part);
}
