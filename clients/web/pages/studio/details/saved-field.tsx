import { type FocusEvent, useId, useState } from 'react';
import { useText } from '../../../app/use-site.ts';
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

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Stores a field when it is left, if it was changed and can be valid; otherwise the browser's own words say why not. */
function useLeave(name: keyof OwnListing, listing: OwnListing, save: Save) {
  const [problem, setProblem] = useState<string | null>(null);
  const leave = (
    { currentTarget }: FocusEvent<Input>,
    read: (text: string) => string | number | null,
  ): void => {
    setProblem(currentTarget.checkValidity() ? null : currentTarget.validationMessage);
    const value = read(currentTarget.value.trim());
    if (currentTarget.validity.valid && value !== listing[name]) void save({ [name]: value });
  };
  return { problem, leave };
}

function Problem({ id, text }: { readonly id: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <span id={id} className="field-problem" role="alert">
      {text}
    </span>
  );
}

/** A text that is stored when its field is left. */
export function TextField({
  listing,
  save,
  name,
  isRequired = false,
  longest,
}: SavedFieldProps & { readonly name: TextName; readonly isRequired?: boolean; readonly longest: number }) {
  const { t } = useText();
  const id = useId();
  const { problem, leave } = useLeave(name, listing, save);
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <input
        // The value of another agent, or of another device, takes the place of this one.
        key={String(listing[name])}
        className="input"
        defaultValue={listing[name] ?? ''}
        required={isRequired}
        maxLength={longest}
        autoComplete="off"
        aria-describedby={id}
        onBlur={(event) => leave(event, (text) => (text === '' && !isRequired ? null : text))}
      />
      <Problem id={id} text={problem} />
    </label>
  );
}

/** A number that is stored when its field is left. */
export function NumberField({
  listing,
  save,
  name,
  isRequired = false,
  most,
  step = 1,
}: SavedFieldProps & {
  readonly name: NumberName;
  readonly isRequired?: boolean;
  readonly most: number;
  readonly step?: number;
}) {
  const { t } = useText();
  const id = useId();
  const { problem, leave } = useLeave(name, listing, save);
  return (
    <label className="field">
      <span className="field-label">{t(`studio.field.${name}`)}</span>
      <input
        key={String(listing[name])}
        className="input"
        type="number"
        inputMode="decimal"
        defaultValue={listing[name] ?? ''}
        required={isRequired}
        min={0}
        max={most}
        step={step}
        aria-describedby={id}
        onBlur={(event) => leave(event, (text) => (text === '' ? null : Number(text)))}
      />
      <Problem id={id} text={problem} />
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
