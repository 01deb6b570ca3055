#include "device/libraries/library.hpp"

namespace warpbook::device::libraries {

std::string_view command_for(Kind kind) {
  return kind == Kind::onednn ? "sudo apt-get install libdnnl-dev" : "./warpbook fetch libraries";
}

Expected<std::string> Library::describe_device() {
  return failure(ErrorCode::not_supported,
                 {{"what", "a description of a GPU"}, {"device", "this library"}});
}

Expected<std::unique_ptr<Library>> open(Kind kind, const std::string& file) {
  switch (kind) {
    case Kind::cudnn: return open_cudnn(file);
    case Kind::cublas: return open_cublas(file);
    case Kind::onednn: return open_onednn(file);
  }
  return failure(ErrorCode::library_missing,
                 {{"library", "?"}, {"detail", "no such kind"}, {"command", "./warpbook"}});
}

}  // namespace warpbook::device::libraries
