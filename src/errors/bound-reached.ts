/**
 * A limit of concurrent work was reached: nothing is down, and the same request may work in a moment. It is the cause
 * of such an error response. The owner of the limit logs it now and then, so the edge does not log each one.
 */
export class BoundReached extends Error {}
