import { useEffect } from 'react';
import { useSite } from '../../site/use-site.ts';

/** For so long the page has been looked at, and was not only passed. */
const LOOKED_AT_MS = 1_000;

/** Counts a view of the home when its page has been visible for a second. Shows nothing. */
export default function ViewCount({ propertyId }: { readonly propertyId: string }) {
  const { api } = useSite();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
    // For the reader nothing depends on it: a view that is not counted needs no message.
    const count = (): void => {
      end();
      api.homes.countView({ propertyId }).catch(() => {});
    };
    const look = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(count, LOOKED_AT_MS);
    };
    document.addEventListener('visibilitychange', look);
    look();
    return end;
  }, [api, propertyId]);
  return null;
}
