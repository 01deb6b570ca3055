#include "lab/model/report.hpp"

#include <algorithm>

namespace warpbook::lab {

const Exhibit* Report::find(std::string_view id) const {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(),
                                  [id](const Exhibit& exhibit) { return exhibit.id == id; });
  return found == exhibits.end() ? nullptr : &*found;
}

}  // namespace warpbook::lab
