import { getRouteApi } from '@tanstack/react-router';
import { Inbox } from './inbox.tsx';

const route = getRouteApi('/inbox/$propertyId/$customerId');

/** One thread: on a desktop next to the others, on a phone alone. */
export function Component() {
  return <Inbox open={route.useParams()} />;
}
