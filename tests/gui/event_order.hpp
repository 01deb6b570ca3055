// How many random events a test plays, and of which seed.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace warpbook::gui {

struct EventOrder {
  std::uint64_t events = 0;
  std::uint32_t seed = 1;
};

/// As the environment asks for it, EVENTS[:SEED]; without it, so many.
inline EventOrder event_order(const char* variable, std::uint64_t events) {
  EventOrder order{events, 1};
  const char* asked = std::getenv(variable);
  if (!asked) return order;
  const std::string text = asked;
  order.events = std::stoull(text);
  if (const auto colon = text.find(':'); colon != std::string::npos)
    order.seed = static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)));
  return order;
}

}  // namespace warpbook::gui
