/** A fetch with upload progress, which browsers' own lacks. @param onProgress share from 0 to 1 */
export const fetchWithProgress = (onProgress: (share: number) => void): typeof fetch =>
  function send(input, { method = 'GET', headers, body, signal, credentials } = {}) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const url = String(input);
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.withCredentials = credentials === 'include';
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = () => {
        // XMLHttpRequest follows redirects, so another server may have answered.
        if (request.responseURL !== url) return reject(new TypeError('The call was redirected'));
        const answer = new Headers();
        for (const name of ['content-type', 'retry-after']) {
          const value = request.getResponseHeader(name);
          if (value !== null) answer.set(name, value);
        }
        resolve(new Response(request.responseText, { status: request.status, headers: answer }));
      };
      request.onerror = () => reject(new TypeError('The server could not be reached'));
      signal?.addEventListener('abort', () => {
        request.abort();
        reject(signal.reason);
      });
      request.send(body as string | null | undefined);
    });
  };
