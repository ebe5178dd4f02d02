import { Inbox } from './inbox.tsx';

/** The threads of the person, and none of them open. */
export function Component() {
  return <Inbox open={null} />;
}
