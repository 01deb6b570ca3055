// What a chapter's text may not hold, as the error that its author reads.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "device/error.hpp"

namespace warpbook::lab {

/// bad_markdown at `place`: phrase.markdown.NAME, with `arguments`, says what was found there, and phrase.markdown-remedy.NAME
/// what to write instead.
inline device::Error text_error(std::string_view name, device::MessageArguments arguments,
                                device::SourcePlace place) {
  const std::string key(name);
  device::Message what{"phrase.markdown." + key, std::move(arguments), {}};
  device::Message remedy{"phrase.markdown-remedy." + key, {}, {}};
  return {device::ErrorCode::bad_markdown,
          {{"what", std::move(what)}, {"remedy", std::move(remedy)}},
          std::move(place)};
}

}  // namespace warpbook::lab
