// The pieces that every JSON document of ours is made of. All text is valid UTF-8, and numbers that JSON does not have
// are the texts "nan", "inf" and "-inf".
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "lab/model/exhibits.hpp"

namespace warpbook::lab {

nlohmann::json json_text(std::string_view text);
nlohmann::json json_number(double value);
nlohmann::json json_of(const device::SourcePlace& place);
nlohmann::json json_of(const device::Dim3& dim);
nlohmann::json json_of(const device::Evidence& evidence);
nlohmann::json json_of(const device::Counters& counters);
nlohmann::json json_of(const device::Sass& sass);
nlohmann::json json_of(const ComparisonExhibit& comparison, const Strings& english);
/// "passed", "failed", "warning", "waiting".
std::string_view name_of(CheckExhibit::State state);
/// A hash of inputs as every document spells it: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace warpbook::lab
