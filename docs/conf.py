"""How Sphinx builds these pages: ``make docs``. Nothing in the pages comes from the network."""

from importlib import metadata

project = "bielle"
author = "The bielle developers"
copyright = "The bielle developers"
release = version = metadata.version("bielle")

extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "make_pictures.py"]
highlight_language = "none"  # indented blocks are equations and drawings

html_theme = "furo"
html_title = f"bielle {version}"
html_static_path = ["_static"]
html_css_files = ["bielle.css"]
html_copy_source = False
html_show_sphinx = False
