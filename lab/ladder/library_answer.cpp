#include "lab/ladder/library_answer.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
using device::libraries::Algorithm;
using device::libraries::Client;
using device::libraries::Offer;

void keep_to_cap(LibraryAnswer& answer, const Offer& offer, std::uint64_t cap) {
  answer.left_out = offer.left_out;
  answer.refused = offer.refused;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < offer.algorithms.size(); ++i) {
    const Algorithm& algorithm = offer.algorithms[i];
    least = std::min(least, algorithm.workspace);
    if (algorithm.workspace > cap) {
      ++answer.over_cap;
      continue;
    }
    answer.algorithms.push_back(algorithm);
    answer.indices.push_back(i);
  }
  if (answer.algorithms.empty() && answer.over_cap > 0) {
    answer.error = Error{ErrorCode::workspace_too_small,
                         {{"library", std::string(name_of(answer.kind))},
                          {"bytes", std::to_string(cap)},
                          {"least", std::to_string(least)}},
                         {}};
  }
}

/// oneDNN calls its plain loops "ref:any".
bool is_reference(const Algorithm& algorithm) { return algorithm.name.starts_with("ref"); }

std::optional<Error> take_times(LibraryAnswer& answer, const LibraryQuestion& question,
                                Client& client) {
  std::vector<std::uint32_t> timed;
  for (std::size_t i = 0; i < answer.algorithms.size(); ++i) {
    const bool tried = question.time_references || !is_reference(answer.algorithms[i]);
    answer.tried.push_back(tried);
    if (tried) timed.push_back(answer.indices[i]);
  }
  const auto timings =
      client.time_those_within(question.longest, question.problem, timed, question.limits);
  if (!timings) return timings.error();
  answer.timings.resize(answer.algorithms.size());
  auto next = timings->begin();
  for (std::size_t i = 0; i < answer.tried.size(); ++i) {
    if (!answer.tried[i]) continue;
    answer.timings[i] = *next++;
    if (answer.timings[i]) answer.on = answer.timings[i]->on;
  }
  return std::nullopt;
}

std::optional<Error> fill(LibraryAnswer& answer, const LibraryQuestion& question, Client& client,
                          const std::stop_token& stop) {
  const auto identity = client.identity();
  if (!identity) return identity.error();
  answer.identity = *identity;
  if (stop.stop_requested()) return std::nullopt;
  const auto offer = client.offer(question.problem, question.target);
  if (!offer) return offer.error();
  keep_to_cap(answer, *offer, question.workspace_cap);
  if (answer.error || !question.times || stop.stop_requested()) return answer.error;
  return take_times(answer, question, client);
}

}  // namespace

LibraryAnswer ask_library(const LibraryQuestion& question, Client& client,
                          const std::stop_token& stop) {
  LibraryAnswer answer;
  answer.kind = question.kind;
  const std::stop_callback kill(stop, [&client] { client.cancel(); });
  answer.error = fill(answer, question, client, stop);
  if (stop.stop_requested()) answer.error = Error{ErrorCode::cancelled, {}, {}};
  return answer;
}

}  // namespace warpbook::lab
