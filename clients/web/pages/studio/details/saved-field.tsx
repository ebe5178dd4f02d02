import { type ChangeEvent, type FocusEvent, useId, useState } from 'react';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { useDraft } from './use-draft.ts';
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
 * What is typed into a field. It is stored when the field is left, if it was changed and can be valid; otherwise the
 * browser's own words say why not.
 */
function useField(
  { listing, save }: SavedFieldProps,
  name: TextName | NumberName,
  read: (text: string) => string | number | null,
) {
  const [problem, setProblem] = useState<string | null>(null);
  const draft = useDraft(String(listing[name] ?? ''));
  const input = {
    value: draft.value,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => draft.type(currentTarget.value),
    onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>): void => {
      setProblem(currentTarget.checkValidity() ? null : currentTarget.validationMessage);
      if (!draft.isTyped || !currentTarget.validity.valid) return;
      const value = read(currentTarget.value.trim());
      draft.settle(value === listing[name] || save({ [name]: value }));
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
        min={0}
        max={most}
        step={step}
        aria-describedby={id}
      />
      <Problem id={id} text={problem} />
    </label>
  );
}

/** A time of the day that is stored when its field is left. */
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
