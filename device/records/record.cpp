#include "device/records/record.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"

namespace warpbook::device {
namespace {

using nlohmann::json;

constexpr const char* kForm = "warpbook-record";
constexpr std::uint64_t kMostBytes = 64u << 20;
constexpr auto& kOutcomes = kEnumNames<RecordedComparison::Outcome>;

/// Thrown for a damaged record, and caught in read_record().
struct Damage {
  std::string why;
};

const json& member(const json& object, const char* key) {
  if (!object.is_object())
    throw Damage{std::string("where \"") + key + "\" should be is no object"};
  const auto found = object.find(key);
  if (found == object.end()) throw Damage{std::string("\"") + key + "\" is missing"};
  return *found;
}

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) throw Damage{std::string("\"") + key + "\" is no text"};
  return value.get<std::string>();
}

template <class T>
T whole(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
    throw Damage{std::string("\"") + key + "\" is no whole number that fits"};
  return value.get<T>();
}

double seconds(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || !(value.get<double>() > 0))
    throw Damage{std::string("\"") + key + "\" is no time"};
  return value.get<double>();
}

const json& list(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) throw Damage{std::string("\"") + key + "\" is no list"};
  return value;
}

RecordedTime time_from(const json& object) {
  const json& time = member(object, "time");
  const json& hot = member(time, "hot");
  if (!hot.is_boolean()) throw Damage{"\"hot\" is neither true nor false"};
  const RecordedTime t{seconds(time, "median"),
                       seconds(time, "p20"),
                       seconds(time, "p80"),
                       seconds(time, "minimum"),
                       whole<std::uint32_t>(time, "samples"),
                       hot.get<bool>()};
  if (!(t.minimum <= t.p20 && t.p20 <= t.median && t.median <= t.p80) || t.samples == 0)
    throw Damage{"a time's median is not between its p20 and p80"};
  return t;
}

json to_json(const RecordedTime& t) {
  return {{"median", t.median},   {"p20", t.p20},         {"p80", t.p80},
          {"minimum", t.minimum}, {"samples", t.samples}, {"hot", t.hot}};
}

Record parse(const json& root) {
  Record record;
  record.gpu = text(root, "gpu");
  record.compute_capability = static_cast<int>(whole<std::uint16_t>(root, "compute_capability"));
  record.cuda = text(root, "cuda");
  record.driver = text(root, "driver");
  record.when = text(root, "when");
  const json& clocks = member(root, "clocks");
  record.clock_khz = whole<std::uint32_t>(clocks, "multiprocessors_khz");
  record.memory_clock_khz = whole<std::uint32_t>(clocks, "memory_khz");
  for (const json& rung : list(root, "rungs")) {
    record.rungs.push_back({text(rung, "operation"), text(rung, "rung"), text(rung, "size"),
                            text(rung, "source_hash"), time_from(rung)});
  }
  for (const json& algorithm : list(root, "algorithms")) {
    record.algorithms.push_back(
        {text(algorithm, "library"), text(algorithm, "problem"), text(algorithm, "algorithm"),
         whole<std::uint64_t>(algorithm, "workspace"), time_from(algorithm)});
  }
  for (const json& comparison : list(root, "comparisons")) {
    const std::string outcome = text(comparison, "outcome");
    const auto* const found = std::ranges::find(kOutcomes, outcome);
    if (found == kOutcomes.end()) throw Damage{"there is no outcome \"" + outcome + "\""};
    record.comparisons.push_back(
        {static_cast<RecordedComparison::Outcome>(found - kOutcomes.begin()),
         text(comparison, "operation"), text(comparison, "rung"), text(comparison, "size"),
         text(comparison, "why")});
  }
  record.cudnn_device = text(root, "cudnn_device");
  return record;
}

bool says_form_or_memory(std::string_view word) {
  return word.starts_with("sxm") || word.starts_with("hbm") || word == "pcie" || word == "nvl" ||
         word.ends_with("gb");
}

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t dash = name.find('-');
    words.push_back(name.substr(0, dash));
    if (dash == name.npos) return words;
    name.remove_prefix(dash + 1);
  }
}

/// Whether the driver's name for a GPU, "h100-80gb-hbm3", is that of one that is asked for as "h100" or "h100-sxm": model by
/// model, and where form or memory are asked for, with those.
bool is_same_gpu(std::string_view drivers, std::string_view asked) {
  const std::vector<std::string_view> has = words_of(drivers), wants = words_of(asked);
  const auto contains = [&](std::string_view word) {
    return std::ranges::find(has, word) != has.end();
  };
  const auto model_of = [](std::vector<std::string_view> words) {
    std::erase_if(words, says_form_or_memory);
    return words;
  };
  if (model_of(has) != model_of(wants)) return false;
  return std::ranges::all_of(wants, [&](std::string_view word) {
    // A driver says "HBM3" or "SXM4" of a module, and "PCIe" or "NVL" of a card.
    if (word.starts_with("sxm")) return !contains("pcie") && !contains("nvl");
    return contains(word);
  });
}

}  // namespace

const RecordedRung* Record::rung(std::string_view operation, std::string_view name,
                                 std::string_view size, std::string_view source) const {
  const auto found = std::ranges::find_if(rungs, [&](const RecordedRung& r) {
    return r.operation == operation && r.rung == name && r.size == size;
  });
  if (found == rungs.end() || found->source_hash != device::source_hash(source)) return nullptr;
  return &*found;
}

std::string source_hash(std::string_view source) {
  return fmt::format("{:016x}", XXH3_64bits(source.data(), source.size()));
}

Evidence Record::evidence() const { return {EvidenceKind::recorded, Message::plain(gpu), when}; }

std::string record_file_name(std::string_view gpu) {
  for (const std::string_view maker : {"NVIDIA ", "Tesla ", "GeForce "}) {
    if (gpu.starts_with(maker)) gpu.remove_prefix(maker.size());
  }
  std::string name;
  for (const char c : gpu) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name + ".json";
}

const Properties* row_of_gpu(std::string_view drivers_name) {
  const auto model = [](std::string_view gpu) {
    return std::filesystem::path(record_file_name(gpu)).stem().string();
  };
  const std::span<const Properties> rows = gpu_table();
  const auto found = std::ranges::find_if(rows, [&](const Properties& row) {
    return is_same_gpu(model(drivers_name), model(row.name));
  });
  return found == rows.end() ? nullptr : &*found;
}

Expected<Record> record_from(std::string_view bytes, const std::string& file) {
  const auto damaged = [&](Message why) {
    return failure(ErrorCode::record_damaged, {{"file", file}, {"why", std::move(why)}});
  };
  const json root = json::parse(bytes, nullptr, false);
  if (root.is_discarded()) return damaged(Message{"phrase.why.not-json", {}, {}});
  try {
    if (text(root, "form") != kForm) return damaged(Message{"phrase.why.other-form", {}, {}});
    const auto version = whole<std::uint32_t>(root, "version");
    if (version > kRecordVersion) {
      return failure(ErrorCode::record_newer, {{"file", file},
                                               {"version", std::to_string(version)},
                                               {"known", std::to_string(kRecordVersion)}});
    }
    return parse(root);
  } catch (const Damage& damage) {
    return damaged(Message::plain(damage.why));
  }
}

Expected<Record> read_record(const std::filesystem::path& file) {
  const auto bytes = read_file(file, kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  return record_from(*bytes, file.string());
}

Expected<Record> find_record(const std::filesystem::path& root, std::string_view gpu) {
  const std::filesystem::path wanted = record_file_name(gpu);
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(root / "device" / "records", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name == wanted) return read_record(entry.path());
    if (entry.path().extension() == ".json" &&
        is_same_gpu(entry.path().stem().string(), wanted.stem().string()))
      found.push_back(entry.path());
  }
  if (found.empty()) return failure(ErrorCode::no_record, {{"gpu", std::string(gpu)}});
  return read_record(*std::ranges::min_element(found));
}

std::string to_json(const Record& record) {
  json rungs = json::array(), algorithms = json::array(), comparisons = json::array();
  for (const RecordedRung& r : record.rungs) {
    rungs.push_back({{"operation", r.operation},
                     {"rung", r.rung},
                     {"size", r.size},
                     {"source_hash", r.source_hash},
                     {"time", to_json(r.time)}});
  }
  for (const RecordedAlgorithm& a : record.algorithms) {
    algorithms.push_back({{"library", a.library},
                          {"problem", a.problem},
                          {"algorithm", a.algorithm},
                          {"workspace", a.workspace},
                          {"time", to_json(a.time)}});
  }
  for (const RecordedComparison& c : record.comparisons) {
    comparisons.push_back({{"operation", c.operation},
                           {"rung", c.rung},
                           {"size", c.size},
                           {"outcome", name_of(c.outcome)},
                           {"why", c.why}});
  }
  const json root{
      {"form", kForm},
      {"version", kRecordVersion},
      {"gpu", record.gpu},
      {"compute_capability", record.compute_capability},
      {"cuda", record.cuda},
      {"driver", record.driver},
      {"when", record.when},
      {"clocks",
       {{"multiprocessors_khz", record.clock_khz}, {"memory_khz", record.memory_clock_khz}}},
      {"rungs", rungs},
      {"algorithms", algorithms},
      {"comparisons", comparisons},
      {"cudnn_device", record.cudnn_device}};
  return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook::device
