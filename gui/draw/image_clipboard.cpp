#include "gui/draw/image_clipboard.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <future>
#include <string_view>

#include <poll.h>
#include <xcb/xcb.h>

namespace warpbook::gui {
namespace {
struct Free {
  void operator()(void* reply) const { std::free(reply); }
};
template <class T>
using Reply = std::unique_ptr<T, Free>;

/// A connection to the X server of its own, which only one thread uses, so that its errors do not end GLFW's.
class Owner {
 public:
  explicit Owner(std::string png) : png_(std::move(png)) {}
  ~Owner() { xcb_disconnect(connection_); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  /// Takes the clipboard; gives back an empty string, or why it failed.
  std::string take() {
    if (xcb_connection_has_error(connection_)) return "no X server";
    // The picture must fit one request, because it is not sent in parts.
    if (png_.size() + 64 > std::size_t{xcb_get_maximum_request_length(connection_)} * 4)
      return "the picture is too large for this X server";
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    window_ = xcb_generate_id(connection_);
    xcb_create_window(connection_, 0, window_, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
    clipboard_ = atom("CLIPBOARD");
    targets_ = atom("TARGETS");
    image_ = atom("image/png");
    xcb_set_selection_owner(connection_, window_, clipboard_, XCB_CURRENT_TIME);
    const Reply<xcb_get_selection_owner_reply_t> owner(xcb_get_selection_owner_reply(
        connection_, xcb_get_selection_owner(connection_, clipboard_), nullptr));
    return owner && owner->owner == window_ ? "" : "another program holds the clipboard";
  }

  void serve(const std::stop_token& stop) {
    pollfd readable{xcb_get_file_descriptor(connection_), POLLIN, 0};
    while (!stop.stop_requested() && !xcb_connection_has_error(connection_)) {
      while (const Reply<xcb_generic_event_t> event{xcb_poll_for_event(connection_)}) {
        const int kind = event->response_type & 0x7f;
        if (kind == XCB_SELECTION_CLEAR) return;
        if (kind == XCB_SELECTION_REQUEST)
          answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
      }
      ::poll(&readable, 1, 50);
    }
  }

 private:
  xcb_atom_t atom(std::string_view name) {
    const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
        connection_,
        xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data()),
        nullptr));
    return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
  }

  void answer(const xcb_selection_request_event_t& request) {
    xcb_atom_t property = request.property ? request.property : request.target;
    if (request.target == targets_) {
      const std::array<xcb_atom_t, 2> known{targets_, image_};
      xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, property,
                          XCB_ATOM_ATOM, 32, known.size(), known.data());
    } else if (request.target == image_) {
      xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, property, image_,
                          8, static_cast<std::uint32_t>(png_.size()), png_.data());
    } else {
      property = XCB_ATOM_NONE;
    }
    // X events are always 32 bytes.
    std::array<char, 32> bytes{};
    xcb_selection_notify_event_t notify{};
    notify.response_type = XCB_SELECTION_NOTIFY;
    notify.time = request.time;
    notify.requestor = request.requestor;
    notify.selection = request.selection;
    notify.target = request.target;
    notify.property = property;
    std::memcpy(bytes.data(), &notify, sizeof notify);
    xcb_send_event(connection_, 0, request.requestor, XCB_EVENT_MASK_NO_EVENT, bytes.data());
    xcb_flush(connection_);
  }

  std::string png_;
  xcb_connection_t* connection_ = xcb_connect(nullptr, nullptr);
  xcb_window_t window_ = 0;
  xcb_atom_t clipboard_ = 0, targets_ = 0, image_ = 0;
};
}  // namespace

std::string ImageClipboard::offer(std::string png) {
  std::promise<std::string> taken;
  auto why = taken.get_future();
  thread_ = std::jthread(
      [png = std::move(png), taken = std::move(taken)](const std::stop_token& stop) mutable {
        Owner owner(std::move(png));
        const std::string trouble = owner.take();
        taken.set_value(trouble);
        if (trouble.empty()) owner.serve(stop);
      });
  return why.get();
}

}  // namespace warpbook::gui
