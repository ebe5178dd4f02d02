/**
 * More was asked for at once than may be: nothing is away, and the same again may work in a moment. It is the cause of
 * such a refusal. Whoever keeps the bound logs it now and then, so the edge does not log each refusal.
 */
export class BoundReached extends Error {}
