import { StatusBadge } from '../../../primitives/parts.tsx';
import type { StatusTone } from '../../../primitives/status-tones.ts';
import { useText } from '../../../site/use-site.ts';

export const StyleName = ({ style }: { readonly style: string }) => (
  <strong className="photo-state-style">{style}</strong>
);

export function Badge({ tone, word }: { readonly tone: StatusTone; readonly word: string }) {
  const { t } = useText();
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}
