import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useDraft, useStoreAfterPause } from '../../../primitives/use-draft.ts';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import type { ListingChange, Save } from './use-save.ts';

/** Fields of text and numbers; null where nothing is known. */
type Named<Value> = {
  [Name in keyof OwnListing]: OwnListing[Name] extends Value ? Name : never;
}[keyof OwnListing];
export type TextName = Named<string | null>;
export type NumberName = Named<number | null>;

export interface SavedFieldProps {
  readonly listing: OwnListing;
  readonly save: Save;
}

interface FieldOptions {
  readonly stored: string;
  /** Gets what was typed, without space around it. @returns whether it is stored */
  readonly store: (text: string) => boolean | Promise<boolean>;
  /** Why the field's text cannot be stored; without it, in the browser's words. */
  readonly wording?: string;
}

/**
 * What is typed into a field. It is stored after a pause, when the field is left and when the page is, if it was changed
 * and can be valid; otherwise the page says why not once the field is left.
 */
export function useField({ stored, store: storeText, wording }: FieldOptions) {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const draft = useDraft(stored);
  const store = (typed: string): void => {
    if (!draft.isTyped || field.current?.validity.valid !== true) return;
    draft.settle(storeText(typed.trim()));
  };
  useStoreAfterPause(draft, store);
  const input = {
    ref: field,
    value: draft.value,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => draft.type(currentTarget.value),
    onBlur: (): void => {
      const { current } = field;
      setProblem(current === null || current.checkValidity() ? null : (wording ?? current.validationMessage));
      store(draft.value);
    },
  };
  return { problem, input, type: draft.type };
}

/** The same for one field of a listing. */
export function useFieldOf(
  { listing, save }: SavedFieldProps,
  name: TextName | NumberName,
  read: (text: string) => string | number | null,
) {
  return useField({
    stored: String(listing[name] ?? ''),
    store: (text) => {
      const value = read(text);
      return value === listing[name] || save({ [name]: value });
    },
  });
}

/** Why a field's text is not stored, for its `aria-describedby`. */
export function FieldProblem({ id, text }: { readonly id: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <span id={id} className="field-problem" role="alert">
      {text}
    </span>
  );
}

/** A text. */
export function TextField({
  listing,
  save,
  name,
  isRequired = false,
  longest,
}: SavedFieldProps & { readonly name: TextName; readonly isRequired?: boolean; readonly longest: number }) {
  const { t } = useText();
  const id = useId();
  const { problem, input } = useFieldOf({ listing, save }, name, (text) =>
    text === '' && !isRequired ? null : text,
  );
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <input
        {...input}
        className="input"
        required={isRequired}
        maxLength={longest}
        autoComplete="off"
        aria-describedby={id}
      />
      <FieldProblem id={id} text={problem} />
    </label>
  );
}

/** A number. */
export function NumberField({
  listing,
  save,
  name,
  isRequired = false,
  least = 0,
  most,
  step = 1,
}: SavedFieldProps & {
  readonly name: NumberName;
  readonly isRequired?: boolean;
  readonly least?: number;
  readonly most: number;
  readonly step?: number;
}) {
  const { t } = useText();
  const id = useId();
  const { problem, input } = useFieldOf({ listing, save }, name, (text) =>
    text === '' ? null : Number(text),
  );
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <input
        {...input}
        className="input"
        type="number"
        inputMode="decimal"
        required={isRequired}
        min={least}
        max={most}
        step={step}
        aria-describedby={id}
      />
      <FieldProblem id={id} text={problem} />
    </label>
  );
}

/** A time of the day. */
export function TimeField({ listing, save, name }: SavedFieldProps & { readonly name: TextName }) {
  const { t } = useText();
  const { input } = useFieldOf({ listing, save }, name, (text) => (text === '' ? null : text));
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <input {...input} className="input" type="time" />
    </label>
  );
}

/** One of several words, stored at once. */
export function ChoiceField({
  listing,
  save,
  name,
  options,
  isRequired = false,
  also,
}: SavedFieldProps & {
  readonly name: TextName;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired?: boolean;
  /** What a choice changes besides. */
  readonly also?: ListingChange;
}) {
  const { t } = useText();
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <select
        className="input"
        value={listing[name] ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void save(value === '' ? { [name]: null } : { ...also, [name]: value })
        }
      >
        {isRequired ? null : <option value="">{t('studio.field.unknown')}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
