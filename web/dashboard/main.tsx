import './theme.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api.ts';
import { language } from './language.ts';
import { router } from './router.tsx';
import { signInByToken, tokenInAddress } from './session.ts';

const showLanguage = (): void => {
  document.documentElement.lang = language.get();
};
showLanguage();
language.subscribe(showLanguage);

const token = tokenInAddress();
if (token !== undefined) await signInByToken(token);

const app = document.getElementById('app');
if (app)
  createRoot(app).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
