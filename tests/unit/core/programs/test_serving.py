"""The server of the programs, and its calls of Flux."""

import asyncio
import functools

import pytest
from autoscale.programs import demand
from core.programs import serving
from core.programs.signing import Once, sign
from metrics.programs.metrics import answer_prometheus

KEY = b"key"


def test_answers_an_agent_before_any_number_of_other_clients():
    calls, once, answered = serving.Calls(), Once(), []

    class Answers:
        """Either responder."""

        def __init__(self, name):
            self.answer = lambda *_: answered.append(name) or serving.Answer(200)

    nonce = f"{once.token}.agent.1"

    async def main():
        proof = sign(KEY, b"request", nonce.encode(), b"GET", b"/demand/home")
        look = serving.Request("GET", "/demand/home", {"authorization": f"{nonce} {proof}"}, lambda: None)
        scrape = serving.Request("GET", "/metrics", {}, lambda: None)
        asked = [asyncio.ensure_future(answer_prometheus(Answers("metrics"), calls, scrape)) for _ in range(3)]
        asked.append(asyncio.ensure_future(demand.answer_agent(Answers("demand"), KEY, once, calls, look)))
        await asyncio.sleep(0)
        for _ in asked:
            calls.serve(lambda call: call(), 5)
        await asyncio.gather(*asked)

    asyncio.run(main())
    assert answered == ["demand", "metrics", "metrics", "metrics"]


def test_a_call_that_fails_fails_for_its_client_and_for_the_program():
    calls = serving.Calls()

    def fail():
        raise OSError("Connection timed out")

    async def main():
        asked = asyncio.ensure_future(calls.run(fail, 0))
        await asyncio.sleep(0)
        with pytest.raises(OSError, match="timed out"):
            calls.serve(lambda call: call(), 5)
        with pytest.raises(OSError, match="Flux does not answer"):
            await asked

    asyncio.run(main())


def test_keeps_the_connection_of_an_authenticated_client_and_no_other_when_many_come():
    come = 0

    async def respond(request):
        if request.path == "/authenticated":
            request.trust()
        while come < 100:
            await asyncio.sleep(0.01)
        return serving.Answer(200)

    async def main():
        nonlocal come
        server = await asyncio.start_server(serving.Port(respond).connected, "127.0.0.1", 0)
        connect = functools.partial(asyncio.open_connection, "127.0.0.1", server.sockets[0].getsockname()[1])
        first = []
        for path in ("/authenticated", "/other"):
            reader, writer = await connect()
            writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
            await asyncio.sleep(0.1)
            first.append((reader, writer))
        others = [await connect() for _ in range(100)]
        await asyncio.sleep(0.1)
        come = len(others)
        answers = []
        for reader, _ in first:
            try:
                answers.append((await reader.readline()).decode().strip())
            except OSError:
                answers.append("")
        for _, writer in (*first, *others):
            writer.close()
        return answers

    assert asyncio.run(main()) == ["HTTP/1.1 200 -", ""]
