import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useDraft, useStoreAfterPause } from '../../../primitives/use-draft.ts';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import type { Save } from './use-save.ts';

/** Fields of text and numbers; null where nothing is known. */
type Named<Value> = {
  [Name in keyof OwnListing]: OwnListing[Name] extends Value ? Name : never;
}[keyof OwnListing];
export type TextName = Named<string | null>;
export type NumberName = Named<number | null>;

interface SavedFieldProps {
  readonly listing: OwnListing;
  readonly save: Save;
}

/**
 * What is typed into a field. It is stored after a pause, when the field is left and when the page is, if it was changed
 * and can be valid; otherwise the browser's own words say why not once the field is left.
 */
function useField(
  { listing, save }: SavedFieldProps,
  name: TextName | NumberName,
  read: (text: string) => string | number | null,
) {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const draft = useDraft(String(listing[name] ?? ''));
  const store = (typed: string): void => {
    if (!draft.isTyped || field.current?.validity.valid !== true) return;
    const value = read(typed.trim());
    draft.settle(value === listing[name] || save({ [name]: value }));
  };
  useStoreAfterPause(draft, store);
  const input = {
    ref: field,
    value: draft.value,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => draft.type(currentTarget.value),
    onBlur: (): void => {
      const { current } = field;
      setProblem(current === null || current.checkValidity() ? null : current.validationMessage);
      store(draft.value);
    },
  };
  return { problem, input };
}

function Problem({ id, text }: { readonly id: string; readonly text: string | null }) {
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
  const { problem, input } = useField({ listing, save }, name, (text) =>
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
      <Problem id={id} text={problem} />
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
  const { problem, input } = useField({ listing, save }, name, (text) => (text === '' ? null : Number(text)));
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
      <Problem id={id} text={problem} />
    </label>
  );
}

/** A time of the day. */
export function TimeField({ listing, save, name }: SavedFieldProps & { readonly name: TextName }) {
  const { t } = useText();
  const { input } = useField({ listing, save }, name, (text) => (text === '' ? null : text));
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
}: SavedFieldProps & {
  readonly name: TextName;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired?: boolean;
}) {
  const { t } = useText();
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <select
        className="input"
        value={listing[name] ?? ''}
        onChange={({ currentTarget: { value } }) => void save({ [name]: value === '' ? null : value })}
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
