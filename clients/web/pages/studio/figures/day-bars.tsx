import { useText } from '../../../site/use-site.ts';
import type { DayFigures } from '../studio-queries.ts';
import './figures.css';

interface DayBarsProps {
  readonly kind: 'views' | 'saves' | 'questions' | 'tours';
  /** At least one, the latest last. */
  readonly days: readonly DayFigures[];
}

/** A bar for each day, the highest as high as the box. The bars are stretched to the space that there is. */
export function DayBars({ kind, days }: DayBarsProps) {
  const { t, number, date } = useText();
  const total = days.reduce((sum, figures) => sum + figures[kind], 0);
  const best = days.reduce((most, figures) => (figures[kind] > most[kind] ? figures : most));
  const [first, last] = [days[0], days.at(-1)];
  const words =
    total === 0
      ? t('studio.figures.none')
      : t('studio.figures.most', { figure: number(best[kind]), day: date(best.day) });
  return (
    <figure className="day-bars">
      <p className="day-bars-total">{number(total)}</p>
      {total === 0 ? null : (
        <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((figures, index) => {
            const height = (figures[kind] / best[kind]) * 100;
            return <rect key={figures.day} x={index + 0.15} y={100 - height} width={0.7} height={height} />;
          })}
        </svg>
      )}
      {total === 0 ? null : (
        <p className="day-bars-days" aria-hidden="true">
          <span>{date(first?.day ?? '')}</span>
          <span>{date(last?.day ?? '')}</span>
        </p>
      )}
      <figcaption className="muted">{words}</figcaption>
    </figure>
  );
}
