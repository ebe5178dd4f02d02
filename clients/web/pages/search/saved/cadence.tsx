import { Choices } from '../../../primitives/choices.tsx';
import { Field } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { CADENCES, type Cadence } from './saved-searches.ts';

interface CadenceProps {
  readonly value: Cadence;
  readonly onChange: (cadence: Cadence) => void;
}

/** How often alerts come, in a form. */
export function CadenceChoice({ value, onChange }: CadenceProps) {
  const { t } = useText();
  return (
    <Choices
      legend={t('searches.cadence')}
      name="cadence"
      value={value}
      options={CADENCES.map((one) => ({ value: one, label: t(`searches.cadence.${one}`) }))}
      onChange={onChange}
    />
  );
}

/** How often alerts come, in a list. It is stored when it is chosen. @param of what the alerts tell of, for readers */
export function CadenceSelect({
  value,
  onChange,
  of,
}: {
  readonly value: string;
  readonly onChange: (cadence: Cadence) => void;
  readonly of: string;
}) {
  const { t } = useText();
  return (
    <Field label={t('searches.mails')}>
      <select
        className="input"
        aria-label={`${t('searches.mails')} · ${of}`}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Cadence)}
      >
        {CADENCES.map((one) => (
          <option key={one} value={one}>
            {t(`searches.cadence.${one}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}
