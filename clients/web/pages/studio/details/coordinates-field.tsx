import { useId } from 'react';
import { useText } from '../../../site/use-site.ts';
import { FieldProblem, type SavedFieldProps, useField } from './saved-field.tsx';

/** Degrees within their bounds, with a point: as maps show them. */
const LATITUDE = String.raw`[+\-]?(?:90(?:\.0+)?|[1-8]?\d(?:\.\d+)?)`;
const LONGITUDE = String.raw`[+\-]?(?:180(?:\.0+)?|(?:1[0-7]\d|\d{1,2})(?:\.\d+)?)`;
const BOTH = String.raw`\s*${LATITUDE}\s*[,;\s]\s*${LONGITUDE}\s*`;
const LONGEST = 60;
/** Some centimeters; more digits would be untrue. */
const DIGITS = 6;

/** The position as numbers, to be typed or pasted from another map. */
export function CoordinatesField({ listing: { latitude, longitude }, save }: SavedFieldProps) {
  const { t } = useText();
  const id = useId();
  const stored = latitude === null || longitude === null ? '' : `${latitude}, ${longitude}`;
  const { problem, input } = useField({
    stored,
    store(text) {
      if (text === '') return stored === '' || save({ latitude: null, longitude: null });
      const [north = 0, east = 0] = text.split(/[,;\s]+/).map((part) => Number(Number(part).toFixed(DIGITS)));
      return (north === latitude && east === longitude) || save({ latitude: north, longitude: east });
    },
    wording: t('studio.field.coordinatesForm'),
  });
  return (
    <label className="field">
      <span className="field-label">{t('studio.field.coordinates')}</span>
      <input
        {...input}
        className="input"
        pattern={BOTH}
        maxLength={LONGEST}
        autoComplete="off"
        placeholder="47.6062, -122.3321"
        aria-describedby={id}
      />
      <FieldProblem id={id} text={problem} />
    </label>
  );
}
