import type { InputHTMLAttributes, ReactNode } from 'react';
import './choices.css';

interface PillProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> {
  /** `radio`: one of several; `checkbox`: any of several. */
  readonly type: 'radio' | 'checkbox';
  readonly children: ReactNode;
}

/** Something that can be chosen: a control of a form with its name. */
export function Pill({ children, lang, ...input }: PillProps) {
  return (
    <label className="pill" lang={lang}>
      <input {...input} />
      {children}
    </label>
  );
}

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  /** The same for all choices of one question, and for no others of the page. */
  readonly name: string;
  readonly value: Value | null;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** Where it is not the language of the page. */
    readonly lang?: string;
  }[];
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
        <Pill
          key={option.value}
          type="radio"
          name={name}
          value={option.value}
          lang={option.lang}
          checked={option.value === value}
          autoFocus={isFocused && option.value === value}
          onChange={() => onChange(option.value)}
        >
          {option.label}
        </Pill>
      ))}
    </fieldset>
  );
}

/** A line that is on or off, with what that means. */
export function CheckboxRow({
  label,
  detail,
  isChosen,
  isDisabled = false,
  onChange,
}: {
  readonly label: string;
  readonly detail?: string;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChosen: boolean) => void;
}) {
  return (
    <label className="checkbox-row">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {label}
        {detail === undefined ? null : <span className="muted checkbox-row-detail">{detail}</span>}
      </span>
    </label>
  );
}
