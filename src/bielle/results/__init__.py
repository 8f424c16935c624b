"""What was computed: Result, sensors, energy audit, plots, animation, export.

Nothing here changes a model or a simulation; everything is read from arrays that exist already.
"""
