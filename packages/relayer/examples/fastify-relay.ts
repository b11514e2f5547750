import { STATUS_BY_KIND } from '@sotto/facts';
import { DomainError, Felts, toFelt } from '@sotto/kernel';
import { createRelayer, type RelayerOptions } from '@sotto/relayer';
import { fastify, type FastifyInstance } from 'fastify';
import { z } from 'zod';

const Felt = z.string().max(80);
const Withdrawal = z.object({ poolAddress: Felt, calldata: z.array(Felt).max(5_000) });

/**
 * Creates a server: `POST /withdraw` relays a proven withdrawal, `GET /submissions/:id` returns its
 * outcome. Call `listen` to open a port; `close` also stops the relayer.
 */
export async function createServer(options: RelayerOptions): Promise<FastifyInstance> {
  const relayer = await createRelayer(options);
  const server = fastify();
  server.addHook('onClose', () => relayer.stop());
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.status(400).send({ issues: error.issues });
    if (!(error instanceof DomainError)) return reply.send(error);
    return reply.status(STATUS_BY_KIND[error.kind]).send({ code: error.code });
  });
  server.post('/withdraw', async ({ body, ip }, reply) => {
    const { poolAddress, calldata } = Withdrawal.parse(body);
    const { submissionId: id } = await relayer.submitWithdrawal.execute({
      poolAddress: toFelt(poolAddress),
      calldata: Felts.parse(calldata),
      caller: { name: ip, networks: [] },
      waitMs: 0,
    });
    return reply.status(202).header('location', `/submissions/${id}`).send({ id });
  });
  server.get<{ Params: { id: string } }>('/submissions/:id', async ({ params }) => {
    // The reply omits the attempt because the attempt names the recipient.
    const { attempt: _, ...answer } = await relayer.getSubmission.execute(params.id);
    return answer;
  });
  await relayer.start();
  return server;
}
