import { useSyncExternalStore } from 'react';
import { kept } from '../../../site/keeper.ts';
import type { Detail } from '../listing-data.ts';
import { assumedTerms, monthlyPayment, type PaymentParts, type PaymentTerms } from './payment.ts';
import { keepChoices, type PaymentChoices, readChoices } from './payment-choices.ts';

/** The section's place in the page. */
export const PAYMENT_ID = 'payment';

const NONE: PaymentChoices = {};

/** The choices of the document's home, which its head and its section show. */
let current: { readonly propertyId: string; readonly choices: PaymentChoices } | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function choicesOf(propertyId: string): PaymentChoices {
  if (current?.propertyId !== propertyId) current = { propertyId, choices: readChoices(kept, propertyId) };
  return current.choices;
}

function choose(propertyId: string, choices: PaymentChoices): void {
  current = { propertyId, choices };
  keepChoices(kept, propertyId, choices);
  for (const listener of listeners) listener();
}

interface Payment {
  readonly terms: PaymentTerms;
  readonly parts: PaymentParts;
  /** Whether the person has changed anything. */
  readonly isChanged: boolean;
  change(term: keyof PaymentTerms, value: number): void;
  /** Takes every change back. */
  reset(): void;
}

/** A home's monthly payment: as the server draws it, with what is assumed; then with what the person has chosen. */
export function usePayment(home: Detail): Payment {
  const { propertyId } = home;
  const choices = useSyncExternalStore(
    subscribe,
    () => choicesOf(propertyId),
    () => NONE,
  );
  const terms = { ...assumedTerms(home), ...choices };
  return {
    terms,
    parts: monthlyPayment(terms),
    isChanged: Object.keys(choices).length > 0,
    change: (term, value) => choose(propertyId, { ...choices, [term]: value }),
    reset: () => choose(propertyId, NONE),
  };
}
