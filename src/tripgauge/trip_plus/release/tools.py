"""The eleven tools as published: their answers to the letter, and what of them an agent is shown. (edition `release`)

Built for comparing results with those of the published code. The strict edition's tools are in
`trip_plus/tools/toolset.py`; what they do otherwise, and why, is told in docs/decisions/0100-tools-strict.md.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from tripgauge.chat import ToolCall
from tripgauge.tools import Listing, Tool, Toolbox, ToolFault, ToolResult, is_too_deep
from tripgauge.trip_plus.release.tool_arguments import PUBLISHED_TOOLS, cleaned
from tripgauge.trip_plus.release.tool_catalogue import (
    Hotels,
    Restaurants,
    attraction_details,
    recommended_attractions,
)
from tripgauge.trip_plus.release.tool_city import CityTools
from tripgauge.trip_plus.release.tool_services import Timetable
from tripgauge.trip_plus.release.tool_views import agent_view
from tripgauge.trip_plus.sandbox.files import SandboxFiles


class ReleaseTools:
    """The published tools over one sandbox."""

    def __init__(self, files: SandboxFiles) -> None:
        sample = files.sample
        city, restaurants = CityTools(files), Restaurants(sample)
        self._tools: Mapping[str, Callable[[Mapping[str, object]], object]] = {
            "query_train_info": Timetable("train", sample.trains).answer,
            "query_flight_info": Timetable("flight", sample.flights).answer,
            "query_hotel_info": Hotels(sample).answer,
            "query_attraction_details": lambda arguments: attraction_details(sample, arguments),
            "recommend_attractions": lambda arguments: recommended_attractions(sample, arguments),
            "recommend_restaurants": restaurants.recommended,
            "query_restaurant_details": restaurants.details,
            "search_location": city.search_location,
            "query_road_route_info": city.road,
            "query_city_transport_plan": city.transport_plan,
            "query_city_weather": city.weather,
        }

    def answer(self, tool: str, arguments: Mapping[str, object]) -> object:
        """The answer to arguments as they are: a sentence, a list or an object."""
        return self._tools[tool](arguments)

    def result(self, tool: str, arguments: Mapping[str, object]) -> str:
        """The whole text of that answer."""
        answer = self.answer(tool, arguments)
        if isinstance(answer, str):
            return answer
        if isinstance(answer, dict) and "error" in answer:
            return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return json.dumps(list(answer) if isinstance(answer, Listing) else answer, ensure_ascii=False, indent=2)

    def agent_arguments(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments after the clean-up agents' calls go through."""
        return cleaned(tool, arguments)

    def agent_view(self, tool: str, arguments: Mapping[str, object]) -> str:
        """What an agent gets to see for its call with those arguments."""
        return agent_view(tool, self.answer(tool, cleaned(tool, arguments)))


class ReleaseToolbox(Toolbox):
    """Answers an agent's calls as the published agent does: cleaned, shortened, its errors under their own names."""

    def __init__(self, tools: ReleaseTools, offered: Iterable[Tool]) -> None:
        """`offered` gives the tools' schemas; answers and manuals are the release's own."""
        super().__init__(_described(tool) for tool in offered if tool.name in PUBLISHED_TOOLS)
        self._release = tools

    def answer_one(self, call: ToolCall) -> ToolResult:
        """The answer to one call."""
        if self.tool(call.name) is None:
            fault = ToolFault("name", f"There is no tool {call.name}.", "name")
            return self._failed(call, "tool_not_found", fault)
        try:
            arguments = _arguments(call.arguments)
        except ValueError:
            fault = ToolFault("parameter", "The arguments are not JSON.", "arguments")
            return self._failed(call, "invalid_tool_arguments_json", fault)
        if not isinstance(arguments, dict):
            fault = ToolFault("parameter", "The arguments are no JSON object.", "arguments")
            return self._failed(call, "invalid_tool_arguments_type", fault)
        kept = cleaned(call.name, arguments)
        answer = self._release.answer(call.name, kept)
        text = _readable(agent_view(call.name, answer))
        canonical = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
        made = replace(call, arguments=_readable(canonical))
        content: ToolFault | None = None
        if isinstance(answer, dict) and "error" in answer:
            content = ToolFault("content", str(answer["details"]))
        signature = None if content else f"{call.name} {_readable(canonical)}"
        return ToolResult(made, call.name, text, answer, kept, content, signature=signature)

    def _failed(self, call: ToolCall, error: str, fault: ToolFault) -> ToolResult:
        answer = {"error": error, "tool": call.name, "details": fault.message}
        text = _readable(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
        return ToolResult(call, call.name, text, fault=replace(fault, message=_readable(fault.message)))


def _arguments(text: str) -> object:
    """The JSON value of a model's text. Raises ValueError if it is none, or none that can be handled."""
    try:
        value: object = json.loads(text or "{}")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if is_too_deep(value):
        raise ValueError("nested too deeply")
    return value


_MEANINGS = {
    "origin": "Where to start: a city; for roads, a point.",
    "destination": "Where to go: a city; for roads, a point.",
    "seatClassName": "Only this seat class.",
    "trainType": "Only this type of train.",
    "hotelName": "Name of the hotel.",
    "hotelBrands": "Only this brand.",
    "requiredService": "Only hotels that offer this.",
    "place_name": "Name of the place, as other tools give it.",
    "nearby_attraction_name": "Name of the sight or other place.",
    "attraction_type": "Only this type, spelled as in the answers.",
    "sort_by": "What to order by.",
    "sortBy": "What to order by.",
}


def _described(tool: Tool) -> Tool:
    """The tool under the release's manual, which promises no more than the published one gives."""
    parameters = tuple(
        replace(parameter, description=_MEANINGS.get(parameter.name, parameter.description))
        for parameter in tool.parameters
    )
    return replace(tool, description=PUBLISHED_TOOLS[tool.name].manual, parameters=parameters)


def _readable(text: str) -> str:
    """The text with halves of surrogate pairs, which no file could hold, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
