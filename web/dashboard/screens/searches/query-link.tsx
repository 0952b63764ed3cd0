import { Link } from '@tanstack/react-router';

type Props = {
  readonly siteId: string;
  readonly query: string;
  /** Asks the chat in place of searching. @default false */
  readonly isQuestion?: boolean;
};

/** A query of visitors that opens the playground with it. */
export function QueryLink({ siteId, query, isQuestion = false }: Props) {
  return (
    <Link
      to="/sites/$siteId/playground"
      params={{ siteId }}
      search={{ q: query, ...(isQuestion && { mode: 'chat' as const }) }}
    >
      {query}
    </Link>
  );
}
