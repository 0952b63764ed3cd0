import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card, Stack } from '../../components/card.tsx';
import { Code } from '../../components/code.tsx';
import { Fault } from '../../components/fault.tsx';
import { useEmbedTexts } from '../../texts/embed.ts';
import { type Site, updateSite } from '../settings/site-section.ts';

/** The address for AI agents, and whether they are let in. */
export function AgentsCard({ site }: { readonly site: Site }) {
  const { siteId, publicAccess } = site;
  const t = useEmbedTexts();
  const [state, setState] = useState<{ readonly isBusy?: true; readonly error?: unknown }>({});
  const address = `${location.origin}/v1/public/sites/${siteId}/mcp`;
  const isOn = publicAccess.enabled && publicAccess.mcpEnabled === true;
  const letIn = async () => {
    setState({ isBusy: true });
    try {
      await updateSite(siteId, { publicAccess: { enabled: true, mcpEnabled: true } });
      setState({});
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Card
      title={t.agents}
      lead={isOn ? t.agentsOn : t.agentsOff}
      actions={
        !isOn && (
          <Button isBusy={state.isBusy} onClick={() => void letIn()}>
            {t.letAgentsIn}
          </Button>
        )
      }
    >
      <Stack>
        {state.error !== undefined && <Fault error={state.error} />}
        <Code text={address} of={t.mcpAddress} />
        {isOn && <Code text={`claude mcp add --transport http site-search ${address}`} of={t.mcpLine} />}
      </Stack>
    </Card>
  );
}
