import type { ReactNode } from 'react';
import './choices.css';

interface PillProps {
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChosen: boolean) => void;
  readonly children: ReactNode;
}

/** One of several things that can be chosen together. */
export function Pill({ isChosen, isDisabled = false, onChange, children }: PillProps) {
  return (
    <label className="pill">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  /** The same for all choices of one question, and for no others of the page. */
  readonly name: string;
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly isLegendHidden?: boolean;
  /** Takes the focus when it is shown. */
  readonly isFocused?: boolean;
}

/** One of a few values. Arrow keys move between them. */
export function Choices<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
  isLegendHidden = false,
  isFocused = false,
}: ChoicesProps<Value>) {
  return (
    <fieldset className="choices">
      <legend className={isLegendHidden ? 'visually-hidden' : 'field-label'}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="pill">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            // biome-ignore lint/a11y/noAutofocus: the first question of a dialog
            autoFocus={isFocused && option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

/** A line that is on or off, with what that means. */
export function CheckboxRow({
  label,
  detail,
  isChosen,
  onChange,
}: {
  readonly label: string;
  readonly detail?: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}) {
  return (
    <label className="checkbox-row">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {label}
        {detail === undefined ? null : <span className="muted checkbox-row-detail">{detail}</span>}
      </span>
    </label>
  );
}
