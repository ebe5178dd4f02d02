import { keptForTab } from '../site/keeper.ts';

/**
 * The secret of the invitation that a mail brought here after the `#`. It is taken out of the address and kept for this
 * tab, so that it outlasts the sign-in and no server reads it before the person accepts.
 */
const KEY = 'invitation';
const SECRET = /^#([\w-]{43})$/;

/** Null when this tab has none. */
export function takeInvitation(): string | null {
  const [, secret] = SECRET.exec(location.hash) ?? [];
  if (secret !== undefined) {
    keptForTab.setItem(KEY, secret);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return keptForTab.getItem(KEY);
}

/** It was accepted. */
export const forgetInvitation = (): void => keptForTab.removeItem(KEY);
