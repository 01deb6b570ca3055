#include "cli/against.hpp"

#include <algorithm>
#include <charconv>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/launch/texture_argument.hpp"

namespace warpbook::cli {
namespace {

using lab::refused;

using device::Done;
using device::Expected;

device::Message write_as(const char* form) { return {"phrase.why.write-as", {{"form", form}}, {}}; }

std::vector<std::string> parts_of(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words) {
    std::size_t from = 0;
    for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
      comma = word.find(',', from);
      parts.push_back(word.substr(from, comma - from));
    }
  }
  return parts;
}

class Reader {
 public:
  Reader(const lab::Lesson& lesson, lab::Inputs inputs)
      : lesson_(lesson), inputs_(std::move(inputs)) {}

  Expected<Done> read(const std::string& part) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const bool parameter = std::ranges::find(lesson_.parameters, name, &lab::Parameter::name) !=
                           lesson_.parameters.end();
    if (part == "original" && !parameter) {
      inputs_.sources.clear();
      return Done{};
    }
    if (equals == std::string::npos || equals == 0) return refused(part, write_as(kAgainstForm));
    const std::string value = part.substr(equals + 1);
    if (!parameter && name == "preset") return apply_preset(lesson_, value, inputs_);
    if (!parameter && name == "gpu") return apply_gpu(value, inputs_);
    if (!parameter && name == "source") return place_source(lesson_, value, inputs_);
    if (!parameter && name == "seed") return read_seed(part, value);
    return lab::assign(lesson_.parameters, inputs_.values, part);
  }
  [[nodiscard]] const lab::Inputs& inputs() const { return inputs_; }

 private:
  Expected<Done> read_seed(const std::string& part, const std::string& value) {
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seed);
    if (error != std::errc{} || end != value.data() + value.size())
      return refused(part, write_as("seed=NUMBER"));
    inputs_.seed = seed;
    return Done{};
  }

  const lab::Lesson& lesson_;
  lab::Inputs inputs_;
};

}  // namespace

Expected<lab::Inputs> against_inputs(const lab::Lesson& lesson, const lab::Inputs& now,
                                     const std::vector<std::string>& words) {
  Reader reader(lesson, now);
  for (const std::string& part : parts_of(words)) {
    if (auto read = reader.read(part); !read) return tl::unexpected(read.error());
  }
  const std::string root = device::root_folder().string();
  const auto a = lab::completed(lesson, reader.inputs(), root);
  if (!a) return tl::unexpected(a.error());
  const auto b = lab::completed(lesson, now, root);
  if (!b) return tl::unexpected(b.error());
  if (*a == *b) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
    return refused(all, device::Message{"phrase.why.both-runs", {}, {}});
  }
  return reader.inputs();
}

}  // namespace warpbook::cli
