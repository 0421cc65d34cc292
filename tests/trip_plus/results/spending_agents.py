"""An agent that spends tokens whose price nobody knows."""

from tripgauge.conversation import OpenTurn, Usage


class Spender:
    """Looks up the weather once a turn and says that it asked a model."""

    async def respond(self, turn: OpenTurn) -> str:
        turn.call("query_city_weather", {"city": "Briskhaven"})
        turn.note(Usage(1000, 10), "unknown")
        return "<clarification>Which day?</clarification>"
