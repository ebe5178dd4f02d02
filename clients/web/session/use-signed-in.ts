import { useNavigate } from '@tanstack/react-router';
import { markPage } from '../site/still-here.ts';
import { useSite } from '../site/use-site.ts';
import { type PendingAction, rememberPending } from './pending-action.ts';
import { loadPerson, type Me } from './person.ts';

/**
 * What a button starts that only a signed-in person may do. A signed-out visitor is led to sign in, which finishes the
 * action and comes back here.
 */
export function useSignedIn(action: PendingAction, run: () => void | Promise<void>): () => void {
  const site = useSite();
  const navigate = useNavigate();
  const start = async (): Promise<void> => {
    const isStillHere = markPage();
    let person: Me | null;
    try {
      // A press may come before it is known who is signed in.
      person = await loadPerson(site);
    } catch {
      // The session may be alive: signing in again would be wrong.
      site.notices.say('errors.notReached');
      return;
    }
    if (person !== null) return run();
    if (!isStillHere()) return;
    rememberPending(action);
    await navigate({ to: '/sign-in', search: { return: location.pathname + location.search } });
  };
  return () => void start();
}
