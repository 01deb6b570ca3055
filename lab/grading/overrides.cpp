#include "lab/grading/overrides.hpp"

#include "lab/text/toml_value.hpp"

namespace warpbook::lab {

device::Expected<Overrides> parse_overrides(std::string_view toml, const std::string& file) {
  const auto table = parse_toml(toml, file);
  if (!table) return tl::unexpected(table.error());
  TomlReader reader("overrides", *table, file);
  Overrides overrides;
  for (const TomlValue* entry : reader.tables("override")) {
    TomlReader inner("override", *entry, file);
    const std::string student = inner.scalar("student"), exercise = inner.text("exercise");
    Override given{inner.optional_real("points").value_or(-1), inner.text("reason")};
    if (!(given.points >= 0)) {
      inner.refuse("points", device::Message{"phrase.toml.absent", {}, {}},
                   device::Message{"phrase.handed.points", {}, {}});
    }
    if (!overrides.try_emplace({student, exercise}, std::move(given)).second)
      inner.refuse("student", in_quotes(student), device::Message{"phrase.handed.once", {}, {}});
    if (auto error = inner.finish()) reader.keep(std::move(*error));
  }
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));
  return overrides;
}

}  // namespace warpbook::lab
