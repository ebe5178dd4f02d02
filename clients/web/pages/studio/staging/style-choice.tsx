import { useText } from '../../../site/use-site.ts';
import type { Style } from '../studio-queries.ts';
import { StylePicture } from './style-picture.tsx';
import './style-choice.css';

interface StyleChoiceProps {
  readonly styles: readonly Style[];
  readonly value: Style | null;
  readonly onChange: (style: Style) => void;
}

/** One of the styles, each with a drawing of it. Arrow keys move between them. */
export function StyleChoice({ styles, value, onChange }: StyleChoiceProps) {
  const { t } = useText();
  return (
    <fieldset className="style-choice">
      <legend className="field-label">{t('studio.staging.style')}</legend>
      {styles.map((style) => (
        <label key={style} className="style-card">
          <input
            type="radio"
            name="style"
            value={style}
            checked={style === value}
            onChange={() => onChange(style)}
          />
          <StylePicture style={style} />
          {t(`style.${style}`)}
        </label>
      ))}
    </fieldset>
  );
}
