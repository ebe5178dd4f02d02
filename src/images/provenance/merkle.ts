import { createHash } from 'node:crypto';

/** Of RFC 9162: a leaf can never be taken for a node. */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The hash of one leaf (RFC 9162, section 2.1.1). */
export const leafHash = (text: string): Buffer => sha256(LEAF, text);

/** The root over leaf hashes in their order; of none, the hash of nothing. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256('');
  if (leaves.length === 1) return first;
  const [left, right] = halves(leaves);
  return sha256(NODE, merkleRoot(left), merkleRoot(right));
}

/**
 * The hashes that lead from the leaf at `position` (from 0) to the root, the lowest first (RFC 9162, section 2.1.3.1).
 * @throws RangeError when there is no such leaf
 */
export function inclusionPath(leaves: readonly Buffer[], position: number): Buffer[] {
  if (!(position >= 0 && position < leaves.length)) throw new RangeError(`no leaf at ${position}`);
  if (leaves.length === 1) return [];
  const [left, right] = halves(leaves);
  return position < left.length
    ? [...inclusionPath(left, position), merkleRoot(right)]
    : [...inclusionPath(right, position - left.length), merkleRoot(left)];
}

/** The left half holds the largest power of two of leaves that leaves one for the right half. */
function halves(leaves: readonly Buffer[]): [left: readonly Buffer[], right: readonly Buffer[]] {
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return [leaves.slice(0, split), leaves.slice(split)];
}
