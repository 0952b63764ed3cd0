import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { siteQuery } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useSettled } from '../../forms/use-settled.ts';
import { useEmbedTexts } from '../../texts/embed.ts';
import { useShellTexts } from '../../texts/shell.ts';
import type { Site } from '../settings/site-section.ts';
import { AccessCheck } from './access-check.tsx';
import { type EmbedAddress, WIDGETS, type Widget } from './address.ts';
import { AgentsCard } from './agents-card.tsx';
import styles from './embed.module.css';
import { LiveWidget } from './live-widget.tsx';
import { attributesOf, codeOf } from './widget-code.ts';
import { WidgetOptions } from './widget-options.tsx';

/** Each widget, live with its attributes, and the lines of HTML for it. */
export function EmbedScreen() {
  const { siteId } = useParams({ from: '/sites/$siteId/embed' });
  const address = useSearch({ from: '/sites/$siteId/embed' });
  const navigate = useNavigate({ from: '/sites/$siteId/embed' });
  const { widget: open = 'button' } = address;
  const t = useEmbedTexts();
  const shell = useShellTexts();
  const query = useQuery(siteQuery(siteId));
  const move = (changed: EmbedAddress) => void navigate({ search: { ...address, ...changed }, replace: true });
  return (
    <>
      <ScreenHeader title={shell.embed} lead={query.data && t.lead(query.data.name)} />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={4} />}>
        {(site) => (
          <Stack>
            <AccessCheck site={site} />
            <Tabs<Widget>
              label={t.widgets}
              open={open}
              onOpen={(widget) => move({ widget })}
              tabs={WIDGETS.map((name) => ({
                name,
                label: t.names[name],
                content: open === name && <WidgetView site={site} widget={name} address={address} onChange={move} />,
              }))}
            />
            <AgentsCard site={site} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

type ViewProps = {
  readonly site: Site;
  readonly widget: Widget;
  readonly address: EmbedAddress;
  readonly onChange: (changed: EmbedAddress) => void;
};

function WidgetView({ site, widget, address, onChange }: ViewProps) {
  const t = useEmbedTexts();
  const attributes = attributesOf(widget, site.siteId, address);
  const settled = useSettled(JSON.stringify(attributes));
  return (
    <div className={styles.view}>
      <Card title={t.options} lead={t.descriptions[widget]}>
        <WidgetOptions widget={widget} address={address} onChange={onChange} />
      </Card>
      <Stack>
        <Card title={t.live} lead={t.liveLead}>
          <LiveWidget widget={widget} attributes={JSON.parse(settled)} />
        </Card>
        <Card title={t.code} lead={t.codeLead}>
          <Code text={codeOf(widget, attributes)} of={t.codeName(t.names[widget])} />
        </Card>
      </Stack>
    </div>
  );
}
