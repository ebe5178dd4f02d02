import { Section } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';

/** About eight lines of a wide window. */
const LONG = { letters: 700, lines: 8 };

/** What the agent says of a home: its first lines, and the rest on request. */
export default function Description({ text }: { readonly text: string }) {
  const { t } = useText();
  const isLong = text.length > LONG.letters || text.split('\n').length > LONG.lines;
  return (
    <Section title={t('listing.description')}>
      <div className={isLong ? 'description description-long' : 'description'}>
        <p className="listing-description" dir="auto">
          {text}
        </p>
        {isLong ? (
          <details className="description-more">
            <summary>
              <span className="description-closed">{t('listing.more')}</span>
              <span className="description-open">{t('listing.less')}</span>
            </summary>
          </details>
        ) : null}
      </div>
    </Section>
  );
}
