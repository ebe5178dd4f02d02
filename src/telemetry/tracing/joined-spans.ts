import type { Spans } from './spans.ts';

/** Spans that go to both places; the first one's traces are those that are stored with jobs. */
export function joinSpans(first: Spans | null, second: Spans | null): Spans | null {
  if (first === null || second === null) return first ?? second;
  return {
    run: (plan, work) =>
      first.run(plan, (one) =>
        second.run(plan, (other) =>
          work({
            note(attributes) {
              one.note(attributes);
              other.note(attributes);
            },
            fail() {
              one.fail();
              other.fail();
            },
          }),
        ),
      ),
    past: first.past,
    event: first.event,
    context: first.context,
    close: first.close,
  };
}
