#include "training/parallel/together.hpp"

#include <fmt/format.h>

#include "lab/report/binary.hpp"

namespace warpbook::training {

std::uint64_t weights_checksum(Replica& replica) {
  std::vector<float> all;
  for (const Variable& parameter : replica.parameters()) {
    const std::vector<float> values = replica.engine().download(parameter.value());
    all.insert(all.end(), values.begin(), values.end());
  }
  return lab::checksum(std::as_bytes(std::span(all)));
}

std::string text_of(const Together& together, const lab::Strings& strings) {
  return strings(together.processes ? "training.together.processes" : "training.together.devices",
                 {{"preset", together.preset},
                  {"count", together.members},
                  {"steps", together.steps},
                  {"loss", lab::number(together.loss)}}) +
         "\n" +
         strings("training.together.sent", {{"bytes", lab::grouped(together.bytes_sent)}}) + "\n" +
         strings(together.equal ? "training.together.equal" : "training.together.unequal",
                 {{"weights", fmt::format("{:016x}", together.weights)}}) +
         "\n";
}

}  // namespace warpbook::training
